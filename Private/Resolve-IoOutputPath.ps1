function Resolve-IoOutputPath {
    <# The full path of a file to write; {date} becomes today's date. Its folder must exist. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $name = $Path.Replace('{date}', [datetime]::Now.ToString('yyyy-MM-dd', [cultureinfo]::InvariantCulture))
    try {
        $provider = $null
        $drive = $null
        $full = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($name, [ref] $provider, [ref] $drive)
    } catch {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.InvalidOutputPath' -Kind Usage -Message "$Path is not a path a file can be written to: $($_.Exception.InnerException ? $_.Exception.InnerException.Message : $_.Exception.Message)" -TargetObject $Path))
    }
    if ($provider.Name -ne 'FileSystem') {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.InvalidOutputPath' -Kind Usage -Message "$Path is on the $($provider.Name) provider. Name a file of the file system." -TargetObject $Path))
    }
    if ([System.IO.Directory]::Exists($full)) {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.InvalidOutputPath' -Kind Usage -Message "$full is a folder. Name a file in it." -TargetObject $Path))
    }
    if ($full -match '[*?]') {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.InvalidOutputPath' -Kind Usage -Message "$Path has wildcards. Name one file to write." -TargetObject $Path))
    }
    $folder = [System.IO.Path]::GetDirectoryName($full)
    if (-not [System.IO.Directory]::Exists($folder)) {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.FolderNotFound' -Kind NotFound -Message "The folder $folder does not exist. Make it first." -TargetObject $Path))
    }
    $full
}
