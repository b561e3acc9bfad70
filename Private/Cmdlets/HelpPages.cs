namespace IoBench.PowerShell;

/// <summary>Where <c>Get-Help -Online</c> goes.</summary>
internal static class HelpPages
{
    /// <summary>The module's page; behind it the cmdlet's name.</summary>
    public const string Root = "https://www.powershellgallery.com/packages/IoBench#";
}
