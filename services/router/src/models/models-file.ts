import { isNode, LineCounter, parseDocument } from 'yaml'
import { type Fault, faultText, type RouterModels, readModels } from '../domain/model.ts'

type ReadText =
  | { readonly ok: true; readonly models: RouterModels }
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * Reads the models from a file's text.
 * @returns if anything is wrong, all faults, each with its line: "line 12: models.0.id: is missing"
 */
export function readModelsText(text: string): ReadText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const lineOf = (offset: number) => `line ${lines.linePos(offset).line}`
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ pos, message }) => `${lineOf(pos[0])}: ${message.split('\n', 1)[0]}`)
    return { ok: false, faults }
  }
  const read = readModels(document.toJS())
  if (read.ok) return read
  /** The line of the faulty entry, or of the innermost one in which it is missing. */
  const placed = (fault: Fault) => {
    for (let depth = fault.path.length; depth > 0; depth -= 1) {
      const node = document.getIn(fault.path.slice(0, depth), true)
      if (isNode(node) && node.range) return `${lineOf(node.range[0])}: ${faultText(fault)}`
    }
    return faultText(fault)
  }
  return { ok: false, faults: read.faults.map(placed) }
}
