declare const WRITTEN: unique symbol

/** A value that is written as JSON already: an answer whose parts are sent often and change seldom is put together of their texts. */
export class Written<Value> {
  readonly json: string
  declare readonly [WRITTEN]: Value

  private constructor(json: string) {
    this.json = json
  }

  static value<Value>(value: Value): Written<Value> {
    return new Written(JSON.stringify(value))
  }

  static list<Item>(items: readonly Written<Item>[]): Written<Item[]> {
    return new Written(`[${items.map(({ json }) => json).join(',')}]`)
  }

  /** An object some of whose members are written; one that is undefined is left out, as JSON has it. */
  static object<Value extends object>(
    members: {
      readonly [Name in keyof Value]: Value[Name] | Written<Value[Name]>
    },
  ): Written<Value> {
    const parts = Object.entries(members).flatMap(([name, member]) => {
      const json = member instanceof Written ? member.json : JSON.stringify(member)
      return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
    })
    return new Written(`{${parts.join(',')}}`)
  }
}
