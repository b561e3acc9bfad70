function Remove-IoTestFile {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([void])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path', ValueFromPipeline, ValueFromPipelineByPropertyName)]
        [SupportsWildcards()]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName', 'PhysicalName')]
        [string[]] $LiteralPath,

        # Also a file that IoBench made and that was changed by others since.
        [switch] $Force
    )

    process {
        foreach ($item in Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -AllowMissing -Cmdlet $PSCmdlet) {
            $file = [System.IO.Directory]::Exists($item) ? (Join-Path $item 'iobench.dat') : $item
            if (-not [System.IO.File]::Exists($file)) {
                $PSCmdlet.WriteError((New-IoError -ErrorId 'IoBench.FileNotFound' -Kind NotFound -Message "$file does not exist: there is nothing to remove." -TargetObject $item))
                continue
            }
            $reason = $null
            if (-not [IoBench.Engine.TestFiles]::IsOurs($file, [ref] $reason) -and -not $Force) {
                $PSCmdlet.WriteError((New-IoError -ErrorId 'IoBench.ForeignFile' -Kind Refused -Message "$file is not removed: $($reason.TrimEnd('.')). Remove it with Remove-Item if you are sure." -TargetObject $item))
                continue
            }
            if ($PSCmdlet.ShouldProcess($file, 'remove the test file')) {
                $removed = [IoBench.Loader.Attempt]::Remove($file, $Force)
                if ($removed.Error) {
                    $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $removed.Error -TargetObject $item))
                }
            }
        }
    }
}
