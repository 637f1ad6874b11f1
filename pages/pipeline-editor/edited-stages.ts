// The edited stages, for fields that offer the names in them.
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import type { Stage } from './pipeline.ts';

export const EditedStages = createContext<ReadonlySignal<readonly Stage[]>>(signal([]));
