namespace IoBench.Application.SelfTest;

/// <summary>Backends whose requests go the kernel's whole way and do nothing: what is left is the cost of the way.</summary>
internal static class NoOpRequests
{
    /// <summary>Makes backends of the kind whose requests do nothing; null for a kind that has no such requests.</summary>
    public static Func<IoBackend>? BackendOf(BackendDescriptor kind) =>
        kind.Name switch
        {
            IoUringBackend.Name => () => new NoOpRing(),
            OverlappedBackend.Name => () => new NoFiles(new OverlappedBackend<NoOpPort>(default)),
            _ => null,
        };

    /// <summary>A backend that needs no open files.</summary>
    private sealed unsafe class NoFiles(IoBackend inner) : IoBackend
    {
        /// <inheritdoc/>
        // Workers open no files for it.
        public override BackendDescriptor Kind => NullBackend.Descriptor;

        /// <inheritdoc/>
        public override void Open(BackendSetup setup) => inner.Open(setup);

        /// <inheritdoc/>
        public override int MaxPortion => inner.MaxPortion;

        /// <inheritdoc/>
        public override int Submit(int* ready, int count) => inner.Submit(ready, count);

        /// <inheritdoc/>
        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            inner.SubmitAndReap(ready, count, until, completions);

        /// <inheritdoc/>
        public override void Close() => inner.Close();
    }
}
