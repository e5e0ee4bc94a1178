// Every scenario of the benchmark, in the order in which they run.
import type { Scenario } from './scenario.ts';
import { changeScenarios } from './scenarios/changes.ts';
import { orderScenarios } from './scenarios/create-order.ts';
import { readScenarios } from './scenarios/lists.ts';

export const scenarios: readonly Scenario[] = [...readScenarios, ...orderScenarios, ...changeScenarios];

export function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}
