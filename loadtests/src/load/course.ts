import type { Course } from '../model/step.ts'
import type { Load } from '../model/load.ts'

type Changing = Extract<Load, { shape: 'ramp' | 'spike' | 'soak' | 'herd' }>

/** The peak of a spike is its middle fifth: n8n is calm for a while before it, and must be calm again after it. */
const peakShare = 0.2

export function courseOf(load: Changing): Course {
  const { duration } = load
  switch (load.shape) {
    case 'ramp':
      return { kind: 'course', from: load.from, stages: [{ rate: load.to, seconds: duration }], waiting: 0 }
    case 'spike': {
      const calm = (duration * (1 - peakShare)) / 2
      const hold = (rate: number, seconds: number) => [
        { rate, seconds: 0 },
        { rate, seconds },
      ]
      return {
        kind: 'course',
        from: load.rate,
        stages: [
          { rate: load.rate, seconds: calm },
          ...hold(load.peak, duration * peakShare),
          ...hold(load.rate, calm),
        ],
        waiting: 0,
      }
    }
    case 'soak':
      return { kind: 'course', from: load.rate, stages: [{ rate: load.rate, seconds: duration }], waiting: 0 }
    case 'herd':
      return {
        kind: 'course',
        from: load.rate,
        stages: [{ rate: load.rate, seconds: duration }],
        waiting: load.waiting,
      }
  }
}

/** The highest rate of the course. */
export const peakOf = ({ from, stages }: Course): number => Math.max(from, ...stages.map(({ rate }) => rate))
