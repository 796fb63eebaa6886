/**
 * The Universal Scalability Law: N replicas carry X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)). λ is the rate of one replica.
 * σ is the share of work that they must do one after the other. κ is the cost of coordinating each replica with every
 * other.
 */
export interface Law {
  lambda: number
  sigma: number
  kappa: number
}

/** The rate that so many replicas carry; also between whole numbers, for charts. */
export function rateAt({ lambda, sigma, kappa }: Law, replicas: number): number {
  return (lambda * replicas) / (1 + sigma * (replicas - 1) + kappa * replicas * (replicas - 1))
}
