using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class CmdletOutput
{
    /// <summary>A stopped pipeline is not an error, because the cmdlet's token ends the work.</summary>
    public static void WriteUnlessStopped(this Cmdlet cmdlet, Action write)
    {
        if (cmdlet.Stopping)
            return;
        try
        {
            write();
        }
        catch (PipelineStoppedException) when (cmdlet.Stopping)
        {
            // The pipeline stopped between the check and the write.
        }
    }

    /// <summary>Progress of a test or of its file. The ids differ, so that one progress bar does not replace another.</summary>
    public const int RunProgressId = 7350;

    public const int ImportProgressId = 7351;

    /// <summary>Writes a line as Write-Host does: visible at a prompt and in the output of a job, silent with <c>6>$null</c>.</summary>
    public static void WriteHostLine(this Cmdlet cmdlet, string text) =>
        cmdlet.WriteInformation(new HostInformationMessage { Message = SafeText.Escape(text) }, ["PSHOST", "IoBench"]);

    /// <summary>Locks the file of -MetricsPath; null without one, or with -WhatIf of the caller.</summary>
    public static MetricsFile? ReserveMetrics(this PSCmdlet cmdlet, string? path) =>
        string.IsNullOrEmpty(path) || UserPrompts.IsWhatIf(cmdlet)
            ? null
            : MetricsFile.Reserve(PathResolver.ResolveOutputPath(cmdlet.SessionState, path));

    /// <summary>
    /// True if an exception is intended for the user. PowerShell shows any other exception unchanged, because it is a bug.
    /// </summary>
    public static bool IsExpectedError(Exception error) =>
        error is IoBenchException or IOException or UnauthorizedAccessException or OutOfMemoryException;

    /// <param name="target">Target of the error record; null for the target of the exception.</param>
    public static ErrorRecord CreateErrorRecord(Exception error, object? target = null)
    {
        if (error is IoBenchException known)
            return CreateErrorRecord(known, target, GetCategory(known));
        if (error is OutOfMemoryException memory)
            return CreateErrorRecord(IoBenchException.NotEnoughMemory(memory), target);
        var (id, category) = error switch
        {
            UnauthorizedAccessException => (ErrorIds.AccessDenied, ErrorCategory.PermissionDenied),
            IOException => ("IoBench.InputOutputFailed", ErrorCategory.DeviceError),
            _ => ("IoBench.Unexpected", ErrorCategory.NotSpecified),
        };
        var record = new ErrorRecord(error, id, category, target);
        if (!SafeText.IsSafe(error.Message))
            record.ErrorDetails = new ErrorDetails(SafeText.Escape(error.Message));
        return record;
    }

    public static ErrorRecord CreateErrorRecord(IoBenchException error, object? target, ErrorCategory category)
    {
        var message = error.Text.Render(PowerShellSpelling.Default);
        var shown =
            message == error.Message ? error : new IoBenchException(error.ErrorId, error.Kind, message, error.Target, error.InnerException);
        var record = new ErrorRecord(shown, error.ErrorId, category, target ?? error.Target);
        // The exception's message contains the problem and the advice. PowerShell has a separate property for the advice.
        if (error.Advice is { } advice)
            record.ErrorDetails = new ErrorDetails(error.What.Render(PowerShellSpelling.Default))
            {
                RecommendedAction = advice.Render(PowerShellSpelling.Default),
            };
        return record;
    }

    private static ErrorCategory GetCategory(IoBenchException error) =>
        error.Kind switch
        {
            IoErrorKind.Usage => error.ErrorId is ErrorIds.UnknownWorkload or ErrorIds.UnknownRuleSet
                ? ErrorCategory.ObjectNotFound
                : ErrorCategory.InvalidArgument,
            IoErrorKind.Refused => error.ErrorId switch
            {
                ErrorIds.FileExists => ErrorCategory.ResourceExists,
                ErrorIds.NotEnoughSpace => ErrorCategory.ResourceUnavailable,
                _ => ErrorCategory.PermissionDenied,
            },
            IoErrorKind.NotFound => ErrorCategory.ObjectNotFound,
            IoErrorKind.InvalidData => ErrorCategory.InvalidData,
            _ => ErrorCategory.DeviceError,
        };

    // Messages about a host begin with its name.
    public static void WriteHostVerbose(this PSCmdlet cmdlet, SessionHost host, string text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape($"{host.Name}: {text}")));

    public static void WriteHostWarning(this PSCmdlet cmdlet, SessionHost host, string text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape($"{host.Name}: {text}")));

    public static void WriteHostNote(this PSCmdlet cmdlet, SessionHost host, string text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteHostLine($"{host.Name}: {text}"));

    public static void WriteHostError(this PSCmdlet cmdlet, SessionHost host, IoBenchException error) =>
        cmdlet.WriteRecord(CreateErrorRecord(error.WithSubject(host.Name, host.Name), host.Session));

    public static void WriteRecord(this PSCmdlet cmdlet, ErrorRecord record) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteError(record));

    public static void WriteHostLost(this PSCmdlet cmdlet, SessionHost host, string reason, string advice)
    {
        var lost = IoBenchException.Failure(
            FleetErrorIds.HostLost,
            $"{host.Name} was lost: {reason.Trim().TrimEnd('.')}.",
            host.Name,
            advice: advice
        );
        cmdlet.WriteRecord(CreateErrorRecord(lost, host.Session, ErrorCategory.ConnectionError));
    }
}
