import { at, usage, type Location } from '../lib/errors.ts'

/** What is wrong with the configuration of a run: profile, workflows, variants and values. */
export const configurationErrors = {
  unknownProfile: (name: string, known: string[]) =>
    usage(
      'unknown-profile',
      `Expected --profile to be a file or one of ${known.join(', ')}, got "${name}".`,
      'n8n-tuned list shows what each profile asks.',
    ),

  badValues: (location: Location, got: string) =>
    usage('bad-values', `${at(location)}: Expected Helm values, a map as YAML, got: ${got}`, 'Correct that file.'),

  sameWorkflow: (location: Location, name: string) =>
    usage(
      'same-workflow',
      `${at(location)}: Expected workflows of different names, got two of "${name}".`,
      'Name each once; kinds of requests to one workflow are a list under its request.',
    ),

  oneRequest: (workflows: string[]) =>
    usage(
      'one-request',
      `--request: Expected one workflow to send it to, got ${workflows.length}: ${workflows.join(', ')}.`,
      'Name one with --workflow, or give each its request in a profile (docs/workload.md).',
    ),

  unmixable: (shape: string) =>
    usage(
      'unmixable',
      `--mix: Expected a load of shape search, constant or mixed, got ${shape}.`,
      'Leave --mix out, or use a profile of one of these shapes, such as check.',
    ),

  holdNeedsRate: (shape: string) =>
    usage(
      'hold-needs-rate',
      `--hold: Expected one rate, or a search that finds it, got a load of shape ${shape}.`,
      'Leave --hold out, give --rate, or use a profile whose load is a search, such as check.',
    ),

  pickVariant: (profile: string, names: string[]) =>
    usage(
      'pick-variant',
      `Expected one configuration to check, got the ${names.length} variants of ${profile}.`,
      `Name one with --variant (${names.join(', ')}), or use n8n-tuned compare.`,
    ),

  unknownVariant: (name: string, names: string[]) =>
    usage(
      'unknown-variant',
      `Expected --variant to be one of ${names.join(', ') || 'none (the profile has no variants)'}, got "${name}".`,
      'Take one of the names in the profile.',
    ),

  valuesRefused: (location: Location, said: string) =>
    usage(
      'values-refused',
      `${at(location)}: These values are refused.\n${said}`,
      'Change the value it names; charts/n8n-tuned/VALUES.md lists what each accepts.',
    ),

  unknownVersion: (location: Location, refusal: string) =>
    usage(
      'unknown-version',
      `${at(location)}: image.tag: ${refusal}`,
      'Set another, or take an engine that runs any image: --engine container, or --target kubernetes.',
    ),

  noPrice: (cell: string) =>
    usage(
      'no-price',
      `Expected CPU and memory limits for every container, since they make the price, got none for some of ${cell}.`,
      'Set resources.limits, or a price of 0 for what is to have no limit.',
    ),
}
