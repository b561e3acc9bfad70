namespace IoBench.Engine;

/// <summary>
/// Whether the names of a run's files still lead to them at its end. An open file that somebody removes goes on answering, so no I/O would tell.
/// </summary>
internal sealed class TargetWatch
{
    private readonly (string Path, string? Identity)[] _files;

    /// <summary>Notes which files the names lead to.</summary>
    public TargetWatch(PreparedTarget[] targets)
        => _files = [.. targets.Where(t => !t.IsDevice).Select(t => (t.Path, PlatformFiles.Current.TryGetStatus(t.Path)?.Identity))];

    /// <summary>Makes a result failed whose file was removed or replaced in mid-run; its figures stay.</summary>
    public void TellWhatIsGone(IoTestResult result)
    {
        foreach (var (path, identity) in _files)
        {
            if (WhatHappened(path, identity) is not { } what)
                continue;
            var message = $"{path} was {what} while the test ran: the figures are those of the file as it was open. Find out who did it, and run the test again.";
            if (result.Status != IoResultStatus.Complete)
            {
                result.Warnings.Add(message);
                continue;
            }
            result.Status = IoResultStatus.Failed;
            result.ErrorId = "IoBench.FileGone";
            result.ErrorMessage = message;
        }
    }

    private static string? WhatHappened(string path, string? identity)
    {
        try
        {
            return PlatformFiles.Current.TryGetStatus(path) is not { } now ? "removed" : now.Identity != identity ? "replaced by another file" : null;
        }
        catch (IoBenchException e)
        {
            // Windows denies access to a name whose file is about to go; a volume may have gone as a whole.
            return $"lost ({e.Message})";
        }
    }
}
