namespace IoBench.Engine;

/// <summary>Which backend runs: the one that was asked for, or, for Auto, the best that works here. Tried, never guessed from a version.</summary>
internal static class BackendChooser
{
    /// <summary>The backend to use, and for Auto why better ones are not.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.BackendNotAvailable</c>: the one asked for does not work here.</exception>
    public static IoBackendKind Choose(IoBackendKind asked, List<string> passedOver)
    {
        if (asked == IoBackendKind.Auto)
        {
            foreach (var kind in (IoBackendKind[])[IoBackendKind.Overlapped, IoBackendKind.IoUring, IoBackendKind.LinuxAio])
            {
                if (!BelongsHere(kind))
                    continue;
                if (WhyNot(kind) is not { } reason)
                    return kind;
                passedOver.Add($"{kind} is not used: {reason}.");
            }
            return IoBackendKind.Threads;
        }
        return WhyNot(asked) is { } refusal
            ? throw IoBenchException.Failure("IoBench.BackendNotAvailable", $"--backend {asked.ToString().ToLowerInvariant()} cannot be used: {refusal}. Leave the choice to IoBench (auto).")
            : asked;
    }

    /// <summary>A worker's instance of a backend.</summary>
    public static IoBackend Create(IoBackendKind kind, NullDevice? nullDevice, VirtualClock? clock) => kind switch
    {
        IoBackendKind.IoUring => new IoUringBackend(),
        IoBackendKind.LinuxAio => new LinuxAioBackend(),
        IoBackendKind.Overlapped => new OverlappedBackend<WindowsCompletionPort>(default),
        IoBackendKind.Null => new NullBackend(nullDevice, clock),
        _ => new ThreadsBackend(),
    };

    private static bool BelongsHere(IoBackendKind kind)
        => kind == IoBackendKind.Overlapped ? OperatingSystem.IsWindows() : OperatingSystem.IsLinux();

    private static string? WhyNot(IoBackendKind kind) => kind switch
    {
        IoBackendKind.IoUring => IoUringBackend.WhyNot(),
        IoBackendKind.LinuxAio => LinuxAioBackend.WhyNot(),
        IoBackendKind.Overlapped => OperatingSystem.IsWindows() ? null : "overlapped I/O is a part of Windows",
        _ => null,
    };
}
