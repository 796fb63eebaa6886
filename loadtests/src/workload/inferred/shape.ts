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
    const known = this.find(name)
    if (known) return known
    const first = this.#behind((one) => one.rest.length === 0)
    const made = new Shape(name)
    first.fields.set(name, made)
    return made
  }

  /** The field, if it is known already, here or behind. */
  find(name: string, seen = new Set<Shape>()): Shape | null {
    // Behind two that meet again is one; and a loop of the workflow leads back here.
    if (seen.has(this)) return null
    seen.add(this)
    const own = this.fields.get(name)
    if (own) return own
    for (const behind of this.rest) {
      const found = behind.find(name, seen)
      if (found) return found
    }
    return null
  }

  item(): Shape {
    const first = this.#behind((one) => one.element !== null || one.rest.length === 0)
    return (first.element ??= new Shape(singular(first.name)))
  }

  /** The first of those behind, itself among them, of which that is so; the last where it is so of none. */
  #behind(is: (one: Shape) => boolean): Shape {
    const seen = new Set<Shape>([this])
    for (const one of seen) {
      if (is(one)) return one
      seen.add(one.rest[0]!)
    }
    return [...seen].at(-1)!
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
