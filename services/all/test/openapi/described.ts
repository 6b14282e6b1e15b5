import { pathItems } from '@callboard/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'

type JsonObject = Record<string, unknown>

interface ShownResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>
}

const ID = 'https://callboard.example/openapi.json'

/** What an OpenAPI document says about answers, and whether an answer conforms to it. */
export class Described {
  readonly #components: Record<string, Record<string, JsonObject>>
  readonly #operations: ReadonlyMap<string, JsonObject>
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })

  constructor(document: JsonObject) {
    this.#components = document.components as Record<string, Record<string, JsonObject>>
    const shown = Object.values(pathItems(document)).flatMap((item) => Object.values(item))
    this.#operations = new Map(shown.map((operation) => [String(operation.operationId), operation]))
    this.#ajv.addSchema({ $id: ID, ...document })
  }

  /** @returns the parts of an answer that the document does not describe, in words; empty when all of it conforms */
  async differences(operationId: string, answer: Response): Promise<string[]> {
    const text = await answer.text()
    const response = this.#response(operationId, answer.status)
    if (!response) return [`${operationId} answered ${answer.status}, which is not described: ${text.slice(0, 200)}`]
    const found = [...this.#headers(response, answer), ...this.#body(response, answer, text)]
    return found.map((what) => `${operationId} ${answer.status}: ${what}`)
  }

  #response(operationId: string, status: number): ShownResponse | undefined {
    const responses = this.#operations.get(operationId)?.responses as Record<string, JsonObject> | undefined
    const response = responses?.[status]
    const name =
      String(response?.$ref ?? '')
        .split('/')
        .at(-1) ?? ''
    return name ? this.#components.responses?.[name] : response
  }

  *#headers({ headers = {} }: ShownResponse, answer: Response): Generator<string> {
    const declared = new Set(Object.keys(headers))
    for (const [name, header] of Object.entries(this.#components.headers ?? {})) {
      const isSent = answer.headers.has(name)
      if (isSent && !declared.has(name)) yield `sends ${name} and does not say so`
      if (!isSent && declared.has(name) && header.required === true) yield `says ${name} and does not send it`
    }
  }

  *#body({ content }: ShownResponse, answer: Response, text: string): Generator<string> {
    const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
    if (!content) {
      if (text !== '') yield 'has a body and does not say so'
      return
    }
    const shown = content[mediaType]
    if (!shown) return yield `is ${mediaType || 'empty'}, described is ${Object.keys(content)}`
    const schema = JSON.parse(JSON.stringify(shown.schema).replaceAll('"#/', `"${ID}#/`)) as object
    const fits = this.#ajv.compile(schema)
    const value: unknown = mediaType.endsWith('json') ? JSON.parse(text) : text
    if (!fits(value)) yield `${this.#ajv.errorsText(fits.errors)} in ${text.slice(0, 300)}`
  }
}
