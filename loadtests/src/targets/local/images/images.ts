import type { Image } from '../../../chart/plan.ts'
import { planErrors } from '../../plan-errors.ts'
import type { ImageOrder, LocalImage } from './image.ts'
import { n8n } from './n8n.ts'
import { postgresql } from './postgresql.ts'
import { redis } from './redis.ts'
import { runners } from './runners.ts'

const images: Record<string, (image: Image, order: ImageOrder) => Promise<LocalImage>> = {
  n8n,
  runners,
  redis,
  postgres: postgresql,
}

/** By the last part of its name, because a private registry holds the same images. */
export async function localImage(image: Image, order: ImageOrder): Promise<LocalImage> {
  const make = images[image.repository.split('/').at(-1)!]
  if (!make)
    throw planErrors.notOnThisTarget(
      `the image ${image.repository}`,
      `On one machine the lab knows ${Object.keys(images).join(', ')}; give the others in a cluster.`,
    )
  return make(image, order)
}
