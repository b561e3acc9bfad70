function Resolve-IoPath {
    <#
        Full file-system paths of a cmdlet's -Path and -LiteralPath. Wildcards in -Path are expanded, a name that exists as it stands is taken as it stands.
        What cannot be resolved is reported by the calling cmdlet as a non-terminating error.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [AllowNull()]
        [AllowEmptyCollection()]
        [AllowEmptyString()]
        [string[]] $Path,

        [AllowNull()]
        [AllowEmptyCollection()]
        [AllowEmptyString()]
        [string[]] $LiteralPath,

        # The path need not exist.
        [switch] $AllowMissing,

        # The paths are other hosts' and cannot be looked up here.
        [switch] $Elsewhere,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if ($Elsewhere) {
        return Resolve-IoSessionPath -Path $Path -LiteralPath $LiteralPath -Cmdlet $Cmdlet
    }
    $requests = @(
        foreach ($item in $Path) { , @($item, $false) }
        foreach ($item in $LiteralPath) { , @($item, $true) }
    )
    foreach ($request in $requests) {
        $item, $literal = $request
        if ([string]::IsNullOrWhiteSpace($item)) {
            $Cmdlet.WriteError((New-IoError -ErrorId 'IoBench.EmptyPath' -Kind Usage -Message 'A path is empty. Name a file or a folder.' -TargetObject $item))
            continue
        }
        # Errors are written behind the try: with -ErrorAction Stop writing one throws, and that is not for this catch.
        $problem = $null
        $found = @()
        try {
            $provider = $null
            $drive = $null
            $full = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($item, [ref] $provider, [ref] $drive)
            if ($provider.Name -ne 'FileSystem') {
                $problem = 'IoBench.NotAFilePath', 'Usage', "$item is on the $($provider.Name) provider. Name a file or a folder of the file system."
            } elseif ($literal -or [System.IO.Path]::Exists($full)) {
                $found = @($full)
            } elseif ($item -match '^@\{.*\}$') {
                # What PowerShell makes of an object without a type where a text is asked for.
                $problem = 'IoBench.NotAPath', 'Usage', "$item is an object without Path, FullName or PhysicalName. Give paths, or objects that have one of these properties."
            } elseif ([System.Management.Automation.WildcardPattern]::ContainsWildcardCharacters($item)) {
                $found = @($Cmdlet.SessionState.Path.GetResolvedProviderPathFromPSPath($item, [ref] $provider))
                if ($found.Count -eq 0) {
                    $problem = 'IoBench.NoMatch', 'NotFound', "Nothing matches $item. For a name that has such characters itself use -LiteralPath."
                }
            } elseif ($AllowMissing) {
                $found = @($full)
            } else {
                $problem = 'IoBench.FileNotFound', 'NotFound', "$full does not exist. Check the path."
            }
        } catch {
            $cause = $_.Exception.InnerException ? $_.Exception.InnerException : $_.Exception
            $id = $cause -is [System.Management.Automation.DriveNotFoundException] ? 'IoBench.DriveNotFound' : 'IoBench.FileNotFound'
            $problem = $id, 'NotFound', "$item cannot be resolved: $($cause.Message)"
        }
        if ($null -ne $problem) {
            $Cmdlet.WriteError((New-IoError -ErrorId $problem[0] -Kind $problem[1] -Message $problem[2] -TargetObject $item))
        }
        $found
    }
}
