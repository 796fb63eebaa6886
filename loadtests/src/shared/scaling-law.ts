/**
 * The Universal Scalability Law: N replicas carry X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)). λ is what one carries, σ what
 * they have to do one after the other, κ what each has to agree on with every other.
 */
export interface Law {
  lambda: number
  sigma: number
  kappa: number
}

/** What so many replicas carry; also between whole numbers, to draw it. */
export function rateAt({ lambda, sigma, kappa }: Law, replicas: number): number {
  return (lambda * replicas) / (1 + sigma * (replicas - 1) + kappa * replicas * (replicas - 1))
}
