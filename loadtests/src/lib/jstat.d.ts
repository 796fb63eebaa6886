/** The part of jstat that the lab uses; the package has no types of its own. */
declare module 'jstat' {
  interface Distribution {
    cdf(x: number, ...parameters: number[]): number
    inv(share: number, ...parameters: number[]): number
  }
  const jstat: {
    studentt: Distribution
    normal: Distribution
    /** The regularised incomplete beta function. */
    ibeta(x: number, a: number, b: number): number
  }
  export default jstat
}
