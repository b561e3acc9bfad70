function Confirm-IoOverwrite {
    <# True when a file may be written: it is not there, -Force was given, or the user said yes. Where nobody can be asked, that it exists is a terminating error. #>
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [switch] $Force,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if ($Force -or -not [System.IO.File]::Exists($Path)) {
        return $true
    }
    if (-not (Test-IoPrompt -Cmdlet $Cmdlet)) {
        $Cmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.FileExists' -Kind Refused -Message "$Path exists. Add -Force to replace it, or choose another name." -TargetObject $Path))
    }
    $Cmdlet.ShouldContinue("$Path exists. Replace it?", 'Replace a file')
}
