import { MirrorSource } from '@callboard/contract'
import { isNode, LineCounter, parseDocument, visit } from 'yaml'
import { z } from 'zod'

const SourcesFile = z
  .strictObject({ sources: z.array(MirrorSource).max(1_000) })
  .superRefine(({ sources }, { addIssue }) => {
    const names = new Set<string>()
    for (const [at, { name }] of sources.entries()) {
      if (names.has(name)) addIssue({ code: 'custom', path: ['sources', at, 'name'], message: 'is there twice' })
      names.add(name)
    }
  })

type ReadText =
  | { readonly ok: true; readonly sources: readonly MirrorSource[] }
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * The sources in a file's text.
 * @returns all faults, if any, each with its line: "line 3: sources.0.url: must be an http or https URL"
 */
export function readSourcesText(text: string): ReadText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const lineOf = (offset: number) => `line ${lines.linePos(offset).line}`
  if (document.errors.length > 0) {
    return {
      ok: false,
      faults: document.errors.map(({ pos, message }) => `${lineOf(pos[0])}: ${message.split('\n', 1)[0]}`),
    }
  }
  const aliases: string[] = []
  visit(document, {
    Alias: (_key, { source, range }) => {
      aliases.push(`${lineOf(range?.[0] ?? 0)}: *${source}: sources are written out, without aliases`)
    },
  })
  if (aliases.length > 0) return { ok: false, faults: aliases }
  const read = SourcesFile.safeParse(document.toJS() ?? { sources: [] })
  if (read.success) return { ok: true, sources: read.data.sources }
  /** The line of the node with the fault, or of the innermost node that lacks it. */
  const placed = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }) => {
    const fault = `${path.join('.') || 'the file'}: ${message}`
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true)
      if (isNode(node) && node.range) return `${lineOf(node.range[0])}: ${fault}`
    }
    return fault
  }
  return { ok: false, faults: read.error.issues.map(placed) }
}
