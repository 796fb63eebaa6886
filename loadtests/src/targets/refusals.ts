import { invalid, usage } from '../lib/errors.ts'

export const neverReady = (process: string, reason: string, hint: string, log: string[]) =>
  invalid('never-ready', `Expected ${process} to become ready, but ${reason}.`, hint, log)

export const noRunner = () =>
  usage(
    'no-task-runner',
    'Expected a task runner beside n8n, which the fault kills, found none.',
    'Choose n8n 2, or n8n 1 with runners enabled, and a workflow with a Code node: --workflow code-webhook.',
  )
