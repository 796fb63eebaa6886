import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { yamlValue } from '../../lib/yaml.ts'
import { mergeValues } from '../../lib/values.ts'
import { paths } from '../../lib/paths.ts'
import type { Values } from '../../model/experiment.ts'

/** Images of the programs that the lab itself runs in a cluster, from the same registry as the chart's. */
export interface Images {
  /** Contains the release of Node that n8n runs on. */
  n8n: string
  k6: string
  pullPolicy: string
  pullSecrets: object[]
}

/** Of the chart's values. */
interface ChartImages {
  image: { repository: string; tag: string; digest?: string; pullPolicy: string; pullSecrets: object[] }
  loadtest: { k6: { image: { repository: string; tag: string } } }
}

export async function imagesOf(values: Values): Promise<Images> {
  const defaults = yamlValue(await readFile(join(paths.chart, 'values.yaml'), 'utf8')) as Values
  const { image, loadtest } = mergeValues(defaults, values) as unknown as ChartImages
  return {
    n8n: `${image.repository}:${image.tag}${image.digest ? `@${image.digest}` : ''}`,
    k6: `${loadtest.k6.image.repository}:${loadtest.k6.image.tag}`,
    pullPolicy: image.pullPolicy,
    pullSecrets: image.pullSecrets,
  }
}
