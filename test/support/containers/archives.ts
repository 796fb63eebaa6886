import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runtime } from './runtime.ts'

/**
 * Why these images cannot be run here; null if they can. What the runtime lacks is loaded from the folder of archives
 * (`docker save`) that N8N_TUNED_TEST_IMAGES names.
 */
export function lackingImages(images: string[]): string | null {
  if (!runtime) return 'this machine has neither Docker nor Podman'
  const missing = () => images.filter((image) => !has(image))
  const folder = process.env.N8N_TUNED_TEST_IMAGES
  if (missing().length > 0 && folder)
    for (const file of readdirSync(folder))
      execFileSync(runtime.program, ['load', '--quiet', '--input', join(folder, file)], { stdio: 'ignore' })
  const still = missing()
  return still.length
    ? `${runtime.program} does not have ${still.join(', ')}, and N8N_TUNED_TEST_IMAGES names no folder with them`
    : null
}

function has(image: string): boolean {
  try {
    execFileSync(runtime!.program, ['image', 'inspect', image], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
