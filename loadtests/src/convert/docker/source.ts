import { dockerCompose, nameOfMain, convertServices } from '../compose/source.ts'
import type { Source } from '../source.ts'

/** The commands `docker run` that somebody keeps in a file. */
export const dockerRun: Source = {
  ...dockerCompose,
  called: 'docker run',
  rules: {
    ...dockerCompose.rules,
    services: convertServices(
      'It is another program, which stays with Docker. Workflows that call it by its name here need another address.',
    ),
  },
  inside: (all) => `docker exec ${nameOfMain(all)}`,
}

/** Variables alone, of an n8n that runs in whatever way. */
export const envFile: Source = {
  ...dockerCompose,
  called: 'an env file',
  // The shell that has these variables is the one to type it in.
  inside: () => 'env',
}
