namespace IoBench.Engine;

/// <summary>Inner exception of an error that another backend can avoid: the system refused what this backend needs.</summary>
internal sealed class BackendRefusal(string reason) : Exception(reason)
{
    public static IoBenchException Error(BackendDescriptor kind, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{Opt.Backend.With(kind)} cannot be used: {reason}.",
            null,
            new BackendRefusal(reason),
            advice: $"Leave the choice to IoBench ({Opt.Backend.With(BackendCatalog.Auto)})."
        );

    public static IoBenchException OfPolling(IoPolling polling, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{Opt.Polling.With(polling)} cannot be used: {reason}.",
            null,
            new BackendRefusal(reason),
            advice: $"Leave {Opt.Polling} out."
        );

    public static string? ReasonOf(IoBenchException error) => (error.InnerException as BackendRefusal)?.Message;
}
