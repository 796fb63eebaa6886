import { usage } from '../errors.ts'

/** What a single verb refuses. */
export const verbErrors = {
  otherExperiment: (dir: string) =>
    usage(
      'other-experiment',
      `Expected --resume to name a run of this same experiment, got ${dir}, which asked something else.`,
      'Give the command that began it, which its report shows, and --resume.',
    ),

  sameVariant: (name: string) =>
    usage(
      'same-variant',
      `Expected variants of different names, got two of "${name}".`,
      'A variant of --tag has the version as its name, one of --with the name of its file.',
    ),

  nothingBeside: (variant: string) =>
    usage(
      'nothing-beside',
      `--rate: Expected two variants or more to run side by side, got only ${variant}.`,
      'Give them with --tag or --with, or a profile that has several. For one alone there is n8n-tuned check --rate.',
    ),

  idleBound: (measure: 'cpu' | 'capacity') =>
    usage(
      'idle-bound',
      `--bound: Expected ${measure === 'cpu' ? 'capacity or memory' : 'cpu or memory'}, got ${measure}.`,
      measure === 'cpu'
        ? 'The comparison of CPU a request needs one rate: add --rate.'
        : 'A run at one rate does not measure capacity: leave --rate out, or bound cpu.',
    ),

  nothingToTune: (expected: string, got: string) =>
    usage(
      'nothing-to-tune',
      `Expected ${expected}, got none of it in ${got}.`,
      'Each variant of tune is made of a tier, with one of its settings or patches left out: give values '
        + 'with base, --values or --set tuning.tier=tuned.',
    ),

  idleSetting: (setting: string, working: string[], tier: string) =>
    usage(
      'idle-setting',
      `--setting: Expected a setting or patch that does something with these values (tier ${tier}), got ${setting}.`,
      `Those that do: ${working.join(', ')}.`
        + (tier === 'patched' ? '' : ' The tier patched has more: --set tuning.tier=patched.')
        + ' A patch of no tier is chosen: --set tuning.patches.NAME=true.',
    ),

  noRate: (profile: string) =>
    usage(
      'no-rate',
      `Expected a rate to size for, got none: the load of ${profile} is not constant.`,
      'Give the requests a second with --rate, or load: { shape: constant, rate: …, duration: … } in the profile.',
    ),

  sizesNoMix: (profile: string) =>
    usage(
      'sizes-no-mix',
      `Expected workflows that are loaded each on its own to size for, got the mix of ${profile}.`,
      'Set load.shape to constant, or measure the cells under the mix with n8n-tuned compare.',
    ),

  patchesNeedFile: (patches: string[]) =>
    usage(
      'patches-need-file',
      `Expected --out to name a file, since patches (${patches.join(', ')}) are files beside it, got none.`,
      'Give --out ecosystem.config.cjs, or values without patches: --set tuning.tier=lean.',
    ),

  unwritableFile: (file: string, reason: string) =>
    usage(
      'unwritable-file',
      `Expected --out to name a file to write to, got ${file}: ${reason}.`,
      'Name another file.',
    ),

  notInRecord: (dir: string, what: string) =>
    usage(
      'not-in-record',
      `Expected ${dir} to say ${what} of its answers, got a run of an earlier version, which does not.`,
      'Measure again, or ask for p95 or p99.',
    ),
}
