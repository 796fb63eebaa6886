import { lackingImages } from '../support/containers/archives.ts'
import { keepsNoSecret } from '../support/planted/tests.ts'

const reason = lackingImages(['n8nio/n8n:2.41.1'])

if (reason) describe.skip(`a run in containers (not tested: ${reason})`, () => test('keeps no secret', () => {}))
else describe('a run in containers', () => keepsNoSecret('--engine', 'container'))
