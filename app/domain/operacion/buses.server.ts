import { Asociado, associateEventBridge, linkEventBridge } from '~/domain/mercados/amz/linkEventBridge.server';

/**
 * Marketplaces that tell of listings by a bus of an account of ours, by their connection: how the bus is asked for, and how a person says that it is associated
 * there. Both throw as the adapter does.
 */
export const BUSES = {
  amazon: { Asociado, request: linkEventBridge, associate: associateEventBridge },
} as const;
