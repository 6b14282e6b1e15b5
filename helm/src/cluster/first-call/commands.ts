/** The steps of a document’s section: its numbered blocks of commands, in order. */
export function stepsOf(document: string, heading: string): readonly string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands)
}

/** Wraps kubectl on the PATH: no kubelet of a simulated node forwards ports, so a process listens there instead. */
export const kubectlBefore = (kubectl: string): string =>
  `#!/usr/bin/env bash\n[ "$1" = port-forward ] && exit 0\nexec '${kubectl}' "$@"\n`
