// Every scenario of the benchmark, in the order in which they run.
import type { Scenario } from './scenario.ts';
import { createOrder, createOrderOnce } from './scenarios/create-order.ts';
import { listOrders } from './scenarios/list-orders.ts';

export const scenarios: readonly Scenario[] = [createOrder, createOrderOnce, listOrders];

export function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}
