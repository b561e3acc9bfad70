namespace IoBench.PowerShell;

/// <summary>
/// The build generates the constant <c>Root</c>, the base address of <c>Get-Help -Online</c>, from the property <c>HelpRoot</c> in
/// Directory.Build.props.
/// </summary>
internal static partial class HelpPages;
