namespace IoBench.Engine;

/// <summary>A planned thread of a run.</summary>
/// <param name="Number">Number within the run, from 0.</param>
/// <param name="NumberOfTarget">Number among the threads of its target or pool, from 0.</param>
/// <param name="Targets">Numbers of its targets within the specification, from 0: one, or all of them in a shared pool.</param>
/// <param name="Processors">Processors that the thread is bound to, with 64 numbers per Windows processor group; empty = any.</param>
public sealed record RunThread(int Number, int NumberOfTarget, IReadOnlyList<int> Targets, IReadOnlyList<int> Processors);
