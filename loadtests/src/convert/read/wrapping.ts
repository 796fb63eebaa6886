import type { Key } from '../key.ts'
import type { Layer, Read } from './layer.ts'
import type { Values } from '../../model/experiment.ts'

/** An object of a tool that deploys charts, and the releases in it. */
export interface Wrapping {
  is(object: Values): boolean
  releases(object: Read, beside: BesideObject): WrappedRelease[]
}

/** One release of a chart. */
export interface WrappedRelease {
  chart: string
  /** Its name in Helm, after which its objects are named. */
  name: string | undefined
  /** Its values; of several the last goes before the others. */
  layers(): Promise<Layer[]>
  around: Around
}

/** What an object says beside the values of the release. */
export interface Around {
  /** The kind of the object: its keys are told below this name. */
  name: string
  layer: Layer
  /** Decides on its keys. */
  take(key: Key): void
}

/** What is there beside the object. */
export interface BesideObject {
  /** All objects of the files that were given. */
  objects: Read[]
  /** Variables that the tool fills in. */
  env: NodeJS.Dict<string>
  /** Keys that the user leaves out. */
  drop: string[]
}
