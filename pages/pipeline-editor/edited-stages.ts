// The stages that are edited, for fields that offer what is in them.
import { type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import type { Stage } from './pipeline.ts';

export const EditedStages = createContext<ReadonlySignal<readonly Stage[]>>(signal([]));
