import { at, drop, leftOut, put, type Draft } from './draft.ts'
import { isHere, type Folders, type Where } from './where.ts'

/** npm is only asked for packages whose nodes a measured workflow has. */
export function fewerCommunityNodes({ values, aside }: Draft, where: Where, folders: Folders): void {
  const { packages = [] } = where
  const given = at(values, 'communityNodes.packages')
  if (!Array.isArray(given)) return
  const isNeeded = (spec: string) =>
    spec.startsWith('/')
      ? packages.length > 0 && isHere(spec, where, folders)
      : packages.some((name) => spec.includes(name))
  const needed = given.filter((spec) => isNeeded(String(spec)))
  if (needed.length === given.length) return
  if (needed.length) put(values, 'communityNodes.packages', needed)
  else drop(values, 'communityNodes')
  aside(
    given.filter((spec) => !needed.includes(spec)).map((spec) => `communityNodes ${String(spec)}`),
    leftOut,
    'No measured workflow has their nodes. n8n takes less memory without them',
  )
}
