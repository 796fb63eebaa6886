import { invalid, usage } from '../../lib/errors.ts'

/** How to install a program that is missing. */
const installs: Record<string, string> = {
  'redis-server':
    'Debian and Ubuntu: apt-get install redis-server. Fedora: dnf install redis. Or measure a plan in regular mode.',
  'redis-cli': 'Debian and Ubuntu: apt-get install redis-tools. Fedora: dnf install redis.',
  nginx: 'Debian and Ubuntu: apt-get install nginx-light. Fedora: dnf install nginx.',
  iptables: 'Debian and Ubuntu: apt-get install iptables. Fedora: dnf install iptables-nft.',
  ip: 'Debian and Ubuntu: apt-get install iproute2. Fedora: dnf install iproute.',
  initdb:
    'Debian and Ubuntu: apt-get install postgresql. Fedora: dnf install postgresql-server. Or measure a plan '
    + 'with SQLite.',
}

/** What this machine lacks, or could not start. */
export const localErrors = {
  standInFailed: (log: string[]) =>
    invalid(
      'stand-in-failed',
      'Expected the stand-in for the outside to start, but it did not.',
      'The last lines of its log say why; --allow-outside calls the real services instead.',
      log,
    ),

  missingServer: (program: string, what: string) =>
    usage(
      'missing-server',
      `Expected ${program} on this machine for ${what}, found none on PATH or in the usual folders.`,
      installs[program] ?? `Install ${program}.`,
    ),

  noContainerRuntime: (refusals: string[]) =>
    usage(
      'no-container-runtime',
      `Expected Docker or Podman on PATH for --engine container, got ${refusals.join('; ') || 'none'}.`,
      'Install one (Debian and Ubuntu: apt-get install podman) or start its daemon; or leave --engine out, '
        + 'since processes need none.',
    ),

  runtimeFailed: (image: string, log: string[]) =>
    invalid(
      'runtime-unavailable',
      `Expected to run ${image} on this machine, but it could not be installed.`,
      'Set image.tag to one of the versions under loadtests/runtimes.',
      log,
    ),

  imageUnavailable: (image: string, log: string[]) =>
    invalid(
      'image-unavailable',
      `Expected to run ${image}, but it is not here and could not be pulled.`,
      'Check image.repository and image.tag, or load the image into the runtime first.',
      log,
    ),

  dataTablesFailed: (image: string, reason: string) =>
    invalid(
      'data-tables-failed',
      `Expected ${image} to have data tables as n8n 1.119 to 2.41 has, got: ${reason}.`,
      'Measure a release that has them, or the workflow without its Data Table nodes.',
    ),

  seedFailed: (step: string, log: string[]) =>
    invalid(
      'seed-failed',
      `Expected n8n to take the workflows, but ${step} failed.`,
      'The last lines of n8n’s log say why.',
      log,
    ),
}
