using System.Globalization;
using System.Management.Automation.Host;

namespace IoBench.PowerShell;

/// <summary>Host that shows nothing. With the host of the user, PowerShell would show remote output without the name of the
/// computer.</summary>
internal sealed class RemoteOutputHost : PSHost
{
    public override string Name => "IoBench";

    public override Version Version { get; } = new(1, 0);

    public override Guid InstanceId { get; } = Guid.NewGuid();

    public override PSHostUserInterface UI => null!;

    public override CultureInfo CurrentCulture => CultureInfo.CurrentCulture;

    public override CultureInfo CurrentUICulture => CultureInfo.CurrentUICulture;

    public override void EnterNestedPrompt() => throw new NotSupportedException();

    public override void ExitNestedPrompt() => throw new NotSupportedException();

    public override void NotifyBeginApplication() { }

    public override void NotifyEndApplication() { }

    public override void SetShouldExit(int exitCode) { }
}
