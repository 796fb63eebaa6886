/** Requests at one rate, whether or not earlier ones were answered: RATE, for DURATION seconds. */
export { default, handleSummary, options, setup } from './open.ts'
