declare const WRITTEN: unique symbol

/** A value already written as JSON: answers whose parts are often sent but rarely change are composed of such texts. */
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

  /** An object some of whose members are already written; undefined ones are omitted, as in JSON. */
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
