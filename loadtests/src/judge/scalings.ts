import { nameOf, rate, roughly } from '../lib/figures.ts'
import { fitScaling, type Fit } from './scaling.ts'
import type { Load } from '../model/load.ts'
import { cellKey, type Result } from '../model/result.ts'
import { rateAt, type ScalingResult } from '../model/scaling.ts'

/** How capacity grows with replicas: for every matrix that varies their number and keeps everything else the same. */
export function scalings(results: Result[], shape: Load['shape']): ScalingResult[] {
  // At a given rate, all that hold carry the same, which says nothing about more replicas.
  if (shape === 'constant') return []
  const settings = [...new Set(results.flatMap(({ cell }) => Object.keys(cell)))].filter((path) =>
    path.endsWith('.replicas'),
  )
  return settings.flatMap((setting) => {
    const alike = Map.groupBy(results, ({ variant, workflow, cell }) =>
      cellKey({ variant, workflow, cell: { ...cell, [setting]: null } }),
    )
    return [...alike.values()].filter((group) => group.length > 1).map((group) => scalingOf(group, setting))
  })
}

function scalingOf(group: Result[], setting: string): ScalingResult {
  const { variant, workflow, cell } = group[0]!
  const others = Object.fromEntries(Object.entries(cell).filter(([path]) => path !== setting))
  const points = group
    // 0 replicas, such as of a paused role, are no size.
    .filter((result) => Number(result.cell[setting]) >= 1)
    .map((result) => ({
      replicas: Number(result.cell[setting]),
      rate: result.capacity?.rate ?? 0,
      spread: result.capacity?.spread ?? null,
    }))
    .toSorted((a, b) => a.replicas - b.replicas)
  const { fit, refused } = fitScaling(points)
  const name = `${workflow}, ${nameOf({ variant, cell: others })}`
  const text = fit ? `${name}: ${told(fit, setting)}` : `${name}: no scaling law. ${refused}`
  return {
    variant,
    workflow,
    setting,
    cell: others,
    points,
    ...(fit ?? { law: null, residuals: [], peak: null }),
    refused,
    text,
  }
}

function told({ law, residuals, peak }: Fit, setting: string): string {
  const worst = Math.max(...residuals.map(({ share }) => Math.abs(share)))
  const most = residuals.at(-1)!.replicas
  const next = rateAt(law, most + 1)
  const end =
    peak === null
      ? 'more always help'
      : `more than ${peak} would carry less, at ${rate(rateAt(law, Math.max(1, peak)))}`
  return (
    `one replica carries ${rate(law.lambda)}, ${most + 1} would carry ${rate(next)}; ${end} (${setting}; `
    + `the law is off by ${roughly(worst)} at most).`
  )
}
