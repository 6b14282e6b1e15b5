import { type ParseResult, parseSync, Visitor } from 'rolldown/utils'

/** The measures of one source. */
export interface FileMeasure {
  readonly lines: number
  readonly exports: number
  /** Exports directly preceded by a comment of their own. */
  readonly documented: number
  readonly functions: number
  readonly longFunctions: number
  readonly wideFunctions: number
}

/** Functions longer than this, or with more parameters, are counted. */
export const LONGEST = 40
export const WIDEST = 3

/** A function of any form: its location and size. */
export interface FunctionMeasure {
  /** Its first line, counted from 1. */
  readonly line: number
  readonly lines: number
  readonly parameters: number
}

export const isLong = ({ lines }: FunctionMeasure): boolean => lines > LONGEST
export const isWide = ({ parameters }: FunctionMeasure): boolean => parameters > WIDEST

export function measureFile(path: string, text: string): FileMeasure {
  const parsed = parseSync(path, text)
  const functions = functionsOf(parsed, text)
  return {
    lines: lineStarts(text).length - 1,
    ...exportsOf(parsed, text),
    functions: functions.length,
    longFunctions: functions.filter(isLong).length,
    wideFunctions: functions.filter(isWide).length,
  }
}

/** The functions in a source, in order of their beginning. */
export function functionsOf({ program }: ParseResult, text: string): readonly FunctionMeasure[] {
  const starts = lineStarts(text)
  const found: FunctionMeasure[] = []
  const seeFunction = (node: { start: number; end: number; params: readonly unknown[] }) => {
    const line = lineAt(starts, node.start)
    found.push({ line, lines: lineAt(starts, node.end) - line + 1, parameters: node.params.length })
  }
  new Visitor({
    FunctionDeclaration: seeFunction,
    FunctionExpression: seeFunction,
    ArrowFunctionExpression: seeFunction,
  }).visit(program)
  return found
}

/** Names that are declared where they are exported; re-exports are documented elsewhere. */
function exportsOf({ program, comments }: ParseResult, text: string): Pick<FileMeasure, 'exports' | 'documented'> {
  let exports = 0
  let documented = 0
  for (const node of program.body) {
    if (node.type !== 'ExportDefaultDeclaration' && (node.type !== 'ExportNamedDeclaration' || !node.declaration))
      continue
    const { declaration } = node
    const names = declaration?.type === 'VariableDeclaration' ? declaration.declarations.length : 1
    exports += names
    if (isDocumented(node.start, comments, text)) documented += names
  }
  return { exports, documented }
}

const isDocumented = (start: number, comments: ParseResult['comments'], text: string): boolean =>
  comments.some(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && text.slice(end, start).trim() === '',
  )

/** The start of each line; the last entry is the end of a text that ends with a line break. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset)
  return after === -1 ? starts.length : after
}
