import { type Tool, tools } from '@callboard/contract'

const WHO: Readonly<Record<string, string>> = { agent: 'an agent’s token', bearer: 'an API key or a token' }

function takes({ op: { http } }: Tool): string {
  const who = WHO[http.auth]
  if (!who) return 'any'
  return http.scope ? `${who}, with \`${http.scope}\`` : who
}

const does = ({ listed: { annotations } }: Tool): string =>
  annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'changes' : 'calls an endpoint'

/** The tools of the hosted MCP server, as a table of docs/mcp.md. */
export const toolsTable = (): string =>
  [
    '| tool | | route | needs, beside `mcp:call` |',
    '| --- | --- | --- | --- |',
    ...tools.map((tool) => {
      const { method, path } = tool.op.http
      return `| \`${tool.name}\` | ${does(tool)} | \`${method} ${path}\` | ${takes(tool)} |`
    }),
  ].join('\n')
