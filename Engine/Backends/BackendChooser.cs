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
            foreach (var backend in BackendCatalog.All.Where(backend => backend is { BelongsHere: true, IsModelled: false }))
            {
                if (backend.WhyNot() is not { } reason)
                    return backend.Kind;
                passedOver.Add($"{backend.Kind} is not used: {reason}.");
            }
        }
        return BackendCatalog.Of(asked).WhyNot() is { } refusal
            ? throw IoBenchException.Failure("IoBench.BackendNotAvailable", $"{Opt.Backend.With(asked)} cannot be used: {refusal}. Leave the choice to IoBench ({Opt.Backend.With(IoBackendKind.Auto)}).")
            : asked;
    }
}
