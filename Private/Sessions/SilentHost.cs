using System.Globalization;
using System.Management.Automation.Host;

namespace IoBench.PowerShell.Sessions;

/// <summary>
/// A host that shows nothing. With the user's own host PowerShell would show what a remote script says, without the remote host's name; with this one it comes as
/// records only.
/// </summary>
internal sealed class SilentHost : PSHost
{
    /// <inheritdoc/>
    public override string Name => "IoBench";

    /// <inheritdoc/>
    public override Version Version { get; } = new(1, 0);

    /// <inheritdoc/>
    public override Guid InstanceId { get; } = Guid.NewGuid();

    /// <inheritdoc/>
    public override PSHostUserInterface UI => null!;

    /// <inheritdoc/>
    public override CultureInfo CurrentCulture => CultureInfo.CurrentCulture;

    /// <inheritdoc/>
    public override CultureInfo CurrentUICulture => CultureInfo.CurrentUICulture;

    /// <inheritdoc/>
    public override void EnterNestedPrompt() => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void ExitNestedPrompt() => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void NotifyBeginApplication() { }

    /// <inheritdoc/>
    public override void NotifyEndApplication() { }

    /// <inheritdoc/>
    public override void SetShouldExit(int exitCode) { }
}
