import { modules } from '@callboard/all'
import { eventName, serviceOf } from '@callboard/contract'

const node = (name: string) => name.replaceAll('-', '_')

/** The services as a Mermaid graph, drawn from their declarations: calls as arrows, events as dotted ones. */
export function graph(): string {
  const lines = ['graph LR', '  client([API clients and agents]) --> gateway']
  for (const module of modules) {
    lines.push(`  ${node(module.name)}[${module.name}]`)
    const callees = module.name === 'gateway' ? [] : [...new Set(module.calls.map(serviceOf))]
    for (const callee of callees) lines.push(`  ${node(module.name)} --> ${node(callee)}`)
  }
  for (const name of [...new Set(modules.find(({ name }) => name === 'gateway')?.calls.map(serviceOf))]) {
    lines.push(`  gateway --> ${node(name)}`)
  }
  for (const producer of modules) {
    for (const event of producer.publishes) {
      for (const consumer of modules) {
        if (!consumer.consumes.some((one) => eventName(one.event) === eventName(event))) continue
        lines.push(`  ${node(producer.name)} -. ${event.id} .-> ${node(consumer.name)}`)
      }
    }
  }
  return lines.join('\n')
}
