import { keepsNoSecret } from '../support/planted/tests.ts'

describe('a run on processes of this machine', () => keepsNoSecret())
