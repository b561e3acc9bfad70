namespace IoBench.Engine.Running;

/// <summary>A thread of a run, as it was planned.</summary>
/// <param name="Number">Its number within the run, from 0.</param>
/// <param name="NumberOfTarget">Its number among the threads of its target, or of the pool, from 0.</param>
/// <param name="Targets">Numbers of its targets within the specification, from 0: one, or all of them in a shared pool.</param>
/// <param name="Processors">The processors it is bound to, Windows' groups 64 apart; empty = any.</param>
public sealed record RunThread(int Number, int NumberOfTarget, IReadOnlyList<int> Targets, IReadOnlyList<int> Processors);
