function Read-IoCommandLine {
    <# The tests of command lines of sqlio and diskspd; what names a file is read as a file of them. Trouble is terminating: a part of a batch is another test. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        [Parameter(Mandatory)]
        [string[]] $CommandLine,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($text in $CommandLine) {
        $file = $null
        if ($text -notmatch '\s-') {
            $file = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($text)
        }
        $read = if ($file -and [System.IO.File]::Exists($file)) {
            [IoBench.Loader.Attempt]::ReadCommandFile($file)
        } else {
            [IoBench.Loader.Attempt]::ReadCommandLine($text, $Cmdlet.SessionState.Path.CurrentFileSystemLocation.ProviderPath)
        }
        if ($read.Error) {
            $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $text))
        }
        foreach ($note in $read.Value.Notes) { $Cmdlet.WriteWarning($note) }
        foreach ($specification in $read.Value.Specifications) {
            foreach ($target in $specification.Targets) {
                # A relative name is meant from where PowerShell is; the process may be elsewhere.
                if ($target.Path -notmatch '^([\\/]|[^\\/]*:)') {
                    $target.Path = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($target.Path)
                }
            }
            $specification
        }
    }
}
