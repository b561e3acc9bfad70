namespace IoBench.PowerShell.Cmdlets;

/// <summary>
/// Where <c>Get-Help -Online</c> goes: <c>Root</c>, with the cmdlet's name behind it. The build makes it of the property <c>HelpRoot</c> in Directory.Build.props.
/// </summary>
internal static partial class HelpPages;
