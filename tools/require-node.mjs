// Plain JavaScript on purpose: it has to run, and speak, on a Node that cannot read our sources.
import module from 'node:module'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Callboard runs on Node 24, and this is Node ${process.versions.node}. Start it with npm (for example "npm start"): ` +
      'npm ci installs a Node 24 for this platform, or put a Node 24 on the PATH.',
  )
  process.exit(1)
}
module.enableCompileCache?.()
