using IoBench.Engine;

namespace IoBench.Application;

internal static class CostCheck
{
    /// <summary>
    /// Returns a factory of backends whose requests pass through the kernel but do nothing; null if this kind has no such requests.
    /// </summary>
    public static Func<IoBackend>? FindNoOpBackend(BackendDescriptor kind) =>
        kind.Name switch
        {
            IoUringBackend.Name => () => new NoOpIoUringBackend(),
            OverlappedBackend.Name => () => new NoFilesBackend(new OverlappedBackend<NoOpCompletionPort>(default)),
            _ => null,
        };

    private sealed unsafe class NoFilesBackend(IoBackend inner) : IoBackend
    {
        // With the descriptor of the Null backend, workers open no files.
        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override void Open(BackendSetup setup) => inner.Open(setup);

        public override int MaxSubmissionBatch => inner.MaxSubmissionBatch;

        public override int Submit(int* ready, int count) => inner.Submit(ready, count);

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            inner.SubmitAndReap(ready, count, until, completions);

        public override void Close() => inner.Close();
    }
}
