/** What a workflow reads of a value: its fields, its elements, and what it does with them. */
export class Shape {
  /** The name by which it is read. */
  name: string
  readonly fields = new Map<string, Shape>()
  /** Of each element, where it is read as a list. */
  element: Shape | null = null
  /** Of what JSON.parse makes of it. */
  parsed: Shape | null = null
  readonly kinds = new Set<ShapeKind>()
  /** Constants that it is compared with; the first lets the main branch run. */
  readonly values: unknown[] = []
  /** Texts that it has to contain. */
  readonly parts: string[] = []
  /** What it has to begin and to end with. */
  starts: string | null = null
  ends: string | null = null
  /** Patterns that it has to match. */
  readonly patterns: RegExp[] = []
  /** A number that it has to be above or below. */
  above: number | null = null
  below: number | null = null
  /** It has to be empty for the main branch to run. */
  empty = false
  /** Where a field comes from that is not among these: the node before. */
  rest: Shape[] = []
  /** The value that a node of the workflow gives it. */
  constant: unknown = undefined
  /** A node of the workflow makes it, so nothing has to be sent. */
  made = false

  constructor(name = '') {
    this.name = name
  }

  field(name: string): Shape {
    const own = this.fields.get(name)
    if (own) return own
    for (const behind of this.rest) {
      const found = behind.find(name)
      if (found) return found
    }
    if (this.rest[0]) return this.rest[0].field(name)
    const made = new Shape(name)
    this.fields.set(name, made)
    return made
  }

  /** The field, if it is known already, here or behind. */
  find(name: string): Shape | null {
    return this.fields.get(name) ?? this.rest.map((one) => one.find(name)).find((one) => one !== null) ?? null
  }

  item(): Shape {
    if (this.rest[0] && !this.element) return this.rest[0].item()
    return (this.element ??= new Shape(singular(this.name)))
  }

  json(): Shape {
    return (this.parsed ??= new Shape(this.name))
  }

  is(kind: ShapeKind): this {
    this.kinds.add(kind)
    return this
  }

  /** By dots and brackets: `data.items[0].name`. */
  at(path: string): Shape {
    return pathOf(path).reduce<Shape>(
      (shape, part) => (typeof part === 'number' ? shape.item() : shape.field(part)),
      this,
    )
  }

  get isRead(): boolean {
    return this.fields.size > 0 || this.element !== null || this.parsed !== null
  }
}

export type ShapeKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'date' | 'email' | 'url'

export const pathOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[\s*(?:(\d+)|'([^']*)'|"([^"]*)")\s*\]|([^.[\]]+)/g)].map(([, index, single, double, plain]) =>
    index === undefined ? (single ?? double ?? plain!) : Number(index),
  )

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
