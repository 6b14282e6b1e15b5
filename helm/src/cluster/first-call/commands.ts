/** The steps of a document’s section: its numbered blocks of commands, in their order. */
export function stepsOf(document: string, heading: string): readonly string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands)
}

/** Stands before kubectl on the PATH: no kubelet of a simulated node forwards a port, so there a process listens instead. */
export const kubectlBefore = (kubectl: string): string =>
  `#!/usr/bin/env bash\n[ "$1" = port-forward ] && exit 0\nexec '${kubectl}' "$@"\n`
